"""`python3 -m lab.probe URL [CERT KEY]`: exits 0 when URL answers 200. Runs inside a namespace, on loopback: unverified."""

import ssl
import sys
import urllib.error
import urllib.request


def main() -> int:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if sys.argv[2:]:
        context.load_cert_chain(*sys.argv[2:])
    try:
        with urllib.request.urlopen(sys.argv[1], timeout=5, context=context) as reply:
            return 0 if reply.status == 200 else 1
    except (urllib.error.URLError, OSError):
        return 1


if __name__ == "__main__":
    sys.exit(main())
