"""How well GPU time is shared on a real card; what checks/share.py is made of."""
