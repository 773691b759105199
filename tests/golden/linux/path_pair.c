// path-pair: two paths callers cannot tell apart change a count differently.
#include "mock.h"

int plum_read(struct device *dev);

int pair_failed_get_kept(struct device *dev) {  // expect-in-function: linux-path-pair
  int err = pm_runtime_get_sync(dev);
  if (err < 0) return err;
  err = plum_read(dev);
  pm_runtime_put(dev);
  return err;
}

int pair_ok(struct device *dev) {
  int err = pm_runtime_get_sync(dev);
  if (err >= 0) err = plum_read(dev);
  pm_runtime_put(dev);
  return err;
}

// "Not zero" is an error, whatever numbers above zero it leaves open, and what is not below zero is success.
int pair_register(struct device *dev);
int pair_prepare(struct device *dev);
int pair_ok_told_by_error(struct device *dev) {
  int ret = pair_prepare(dev);
  if (ret) return ret;
  pm_runtime_enable(dev);
  ret = pair_register(dev);
  if (ret < 0) {
    pm_runtime_disable(dev);
    return ret;
  }
  return ret;
}

int pair_bad_error_keeps(struct device *dev) {  // expect-in-function: linux-path-pair
  int ret = pair_prepare(dev);
  if (ret) return ret;
  pm_runtime_enable(dev);
  ret = pair_register(dev);
  if (ret < 0) return ret;
  return ret;
}

// What gets the PHY is not described: it may give NULL, of which nothing is counted. Who asks before giving back is right.
struct phy;
struct phy *board_phy(struct device *dev);
int phy_init(struct phy *phy);
int phy_exit(struct phy *phy);
int board_start(struct device *dev);
int path_pair_asks_for_null(struct device *dev) {
  int ret;
  struct phy *phy = board_phy(dev);
  if (IS_ERR(phy)) return PTR_ERR(phy);
  ret = phy_init(phy);
  if (ret) return ret;
  ret = board_start(dev);
  if (ret < 0) goto exit_phy;
  return 0;
exit_phy:
  if (phy) phy_exit(phy);
  return ret;
}
int path_pair_bad_forgets_phy(struct device *dev) {  // expect-in-function: linux-path-pair
  int ret;
  struct phy *phy = board_phy(dev);
  if (IS_ERR(phy)) return PTR_ERR(phy);
  ret = phy_init(phy);
  if (ret) return ret;
  ret = board_start(dev);
  if (ret == -EBUSY) return ret;
  if (ret < 0) goto exit_phy;
  return 0;
exit_phy:
  if (phy) phy_exit(phy);
  return ret;
}
