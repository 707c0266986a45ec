{{- /* The image of one of the daemons. */ -}}
{{- define "warpshare.image" -}}
{{- printf "%s%s:%s" .root.Values.image.prefix .name (.root.Values.image.tag | default .root.Chart.AppVersion) -}}
{{- end -}}
