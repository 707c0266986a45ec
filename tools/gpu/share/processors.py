"""How busy the machine's own processors were: loads that wait for one are not what is measured."""


def times():
    """All, idle and stolen ticks since the machine started."""
    with open("/proc/stat", encoding="utf-8") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]  # user nice system idle iowait irq softirq steal
    return {"all": sum(ticks), "idle": ticks[3] + ticks[4], "stolen": ticks[7]}


def since(before):
    gone = {name: value - before[name] for name, value in times().items()}
    whole = max(1, gone["all"])
    return {"busy_percent": round(100 - 100 * gone["idle"] / whole, 1),
            "stolen_percent": round(100 * gone["stolen"] / whole, 1)}
