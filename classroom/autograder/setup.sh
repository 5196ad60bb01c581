#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image.
set -euo pipefail
apt-get update
apt-get install -y python3 python3-venv
# Outside of /root, so that the accounts which run students' code may read it.
python3 -m venv /opt/evalstats
/opt/evalstats/bin/pip install numpy pytest
