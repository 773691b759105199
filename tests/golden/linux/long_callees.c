// Callees with more outcomes than their callers are told: what one of them gives back may be given back.
#include "mock.h"

int port_stop(int port);
int hub_wire(struct platform_device *pdev);

struct long_hub {
  struct clk *clk;
  int *regs;
  int ports[9];
};

static void long_hub_remove(struct platform_device *pdev) {
  struct long_hub *h = platform_get_drvdata(pdev);
  if (!h || !h->regs) return;
  if (h->ports[0]) h->ports[0] = port_stop(0);
  if (h->ports[1]) h->ports[1] = port_stop(1);
  if (h->ports[2]) h->ports[2] = port_stop(2);
  if (h->ports[3]) h->ports[3] = port_stop(3);
  if (h->ports[4]) h->ports[4] = port_stop(4);
  if (h->ports[5]) h->ports[5] = port_stop(5);
  if (h->ports[6]) h->ports[6] = port_stop(6);
  if (h->clk) clk_disable_unprepare(h->clk);
}

// The failing end calls the driver's own remove, which finds the clock in the driver's data.
static int long_hub_probe(struct platform_device *pdev) {
  int ret;
  struct long_hub *h = devm_kzalloc(&pdev->dev, sizeof(*h), GFP_KERNEL);
  if (!h) return -ENOMEM;
  h->regs = &h->ports[8];
  dev_set_drvdata(&pdev->dev, h);
  h->clk = devm_clk_get(&pdev->dev, NULL);
  if (IS_ERR(h->clk)) return PTR_ERR(h->clk);
  ret = clk_prepare_enable(h->clk);
  if (ret) return ret;
  ret = hub_wire(pdev);
  if (ret) goto err;
  return 0;
err:
  long_hub_remove(pdev);
  return ret;
}
struct platform_driver long_hub_driver = {.probe = long_hub_probe, .remove = long_hub_remove};

// An end that does not call it keeps the clock on.
static int long_hub_bad_probe(struct platform_device *pdev) {  // expect-in-function: linux-path-pair
  int ret;
  struct long_hub *h = devm_kzalloc(&pdev->dev, sizeof(*h), GFP_KERNEL);
  if (!h) return -ENOMEM;
  h->regs = &h->ports[8];
  dev_set_drvdata(&pdev->dev, h);
  h->clk = devm_clk_get(&pdev->dev, NULL);
  if (IS_ERR(h->clk)) return PTR_ERR(h->clk);
  ret = clk_prepare_enable(h->clk);
  if (ret) return ret;
  ret = hub_wire(pdev);
  if (ret) return ret;
  ret = port_stop(8);
  if (ret) goto err;
  return 0;
err:
  long_hub_remove(pdev);
  return ret;
}
struct platform_driver long_hub_bad_driver = {.probe = long_hub_bad_probe, .remove = long_hub_remove};
