// Functions that only specs/linux-computed.spec knows, which is computed from the kernel's source.
// alone
#include "mock.h"

struct phy;
struct phy *phy_optional_get(struct device *dev, const char *name);
void phy_put(struct device *dev, struct phy *phy);
struct typec_port;
struct typec_cable;
struct typec_cable *typec_cable_get(struct typec_port *port);
void typec_cable_put(struct typec_cable *cable);
int lane_count(struct device *dev);
int plug_kind(struct typec_port *port);

int phy_forgotten(struct device *dev) {  // expect-in-function: linux-leak
  struct phy *phy = phy_optional_get(dev, "lane");
  if (IS_ERR(phy)) return PTR_ERR(phy);
  if (lane_count(dev) > 4) return -EINVAL;
  phy_put(dev, phy);
  return 0;
}

int phy_put_back(struct device *dev) {
  struct phy *phy = phy_optional_get(dev, "lane");
  int ret = 0;
  if (IS_ERR(phy)) return PTR_ERR(phy);
  if (lane_count(dev) > 4) ret = -EINVAL;
  phy_put(dev, phy);
  return ret;
}

int cable_forgotten(struct typec_port *port) {  // expect-in-function: linux-leak
  struct typec_cable *cable = typec_cable_get(port);
  if (!cable) return -ENODEV;
  if (plug_kind(port) < 0) return -EINVAL;
  typec_cable_put(cable);
  return 0;
}

int cable_put_back(struct typec_port *port) {
  struct typec_cable *cable = typec_cable_get(port);
  int kind;
  if (!cable) return -ENODEV;
  kind = plug_kind(port);
  typec_cable_put(cable);
  return kind;
}
