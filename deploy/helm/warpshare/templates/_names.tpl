{{- /* The image of one of the daemons. */ -}}
{{- define "warpshare.image" -}}
{{- printf "%s%s:%s" .root.Values.image.prefix .name (.root.Values.image.tag | default .root.Chart.AppVersion) -}}
{{- end -}}
{{- /* kube-scheduler of the cluster's own version, without what vendors append to theirs (v1.31.4-gke.5, v1.31.4+rke2r1). */ -}}
{{- define "warpshare.kubeSchedulerImage" -}}
{{- $version := regexFind "[0-9]+\\.[0-9]+\\.[0-9]+" .Capabilities.KubeVersion.Version -}}
{{- .Values.scheduler.kubeScheduler.image | default (printf "registry.k8s.io/kube-scheduler:v%s" $version) -}}
{{- end -}}
{{- /* Two pods of warpshare-scheduler on one machine end with it. */ -}}
{{- define "warpshare.schedulerAffinity" -}}
{{- $term := dict "topologyKey" "kubernetes.io/hostname" "labelSelector" (dict "matchLabels" (dict "app.kubernetes.io/name" "warpshare-scheduler")) -}}
{{- if eq (.Values.scheduler.apart | default "preferred") "required" -}}
{{- dict "podAntiAffinity" (dict "requiredDuringSchedulingIgnoredDuringExecution" (list $term)) | toYaml -}}
{{- else -}}
{{- dict "podAntiAffinity" (dict "preferredDuringSchedulingIgnoredDuringExecution" (list (dict "weight" 100 "podAffinityTerm" $term))) | toYaml -}}
{{- end -}}
{{- end -}}
