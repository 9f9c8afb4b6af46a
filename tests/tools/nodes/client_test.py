"""Runs client.py against a simulated line. usage: client_test.py VQAS CORPUS FOLDER"""
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

from line import Line

vqas, corpus, folder = sys.argv[1:4]
shutil.rmtree(folder, ignore_errors=True)
line = Line(vqas, corpus, folder, ber=0, node_arguments=("--metrics", "127.0.0.1:0"))
try:
    client = Path(__file__).with_name("client.py")
    lines = [one for one in client.read_text().splitlines() if one.strip() and not one.startswith('"""')]
    assert len(lines) <= 30, f"the client has {len(lines)} lines"
    said = subprocess.run([sys.executable, client, line.node_a, line.node_b, "M4"], capture_output=True, text=True,
                          timeout=120)
    assert said.returncode == 0, said.stderr
    outcome, mos, size = said.stdout.split()
    assert outcome == "scored" and float(mos) > 3 and int(size) > 1000, said.stdout
    page = urllib.request.urlopen(line.ready["b"]["metrics"]).read().decode()
    assert 'vqas_node_measurements_total{outcome="scored"} 1\n' in page, page
    assert "# TYPE vqas_node_held gauge\n" in page and "vqas_node_line_seconds_total " in page, page
    for fields in (one.split() for one in page.splitlines() if not one.startswith("#")):
        float(fields[-1])
finally:
    line.stop()
shutil.rmtree(folder)
print("measured", outcome, mos)
