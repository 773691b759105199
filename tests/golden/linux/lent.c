// The bus holds one count over probe and remove, which the driver may give back in between, and no more than that one.
#include "mock.h"

struct gear {
  struct device *dev;
  struct clk *clk;
  struct work_struct work, done;
  struct kref ref;
  int speed;
};

static int lent_ok_probe(struct pci_dev *pci, const struct pci_device_id *id) {
  pm_runtime_put_noidle(&pci->dev);
  return 0;
}
static void lent_ok_remove(struct pci_dev *pci) { pm_runtime_get_noresume(&pci->dev); }
static int lent_gives_two_probe(struct pci_dev *pci, const struct pci_device_id *id) {  // expect-in-function: linux-count-left
  pm_runtime_put_noidle(&pci->dev);
  pm_runtime_put_noidle(&pci->dev);
  return 0;
}
static void lent_takes_two_remove(struct pci_dev *pci) {  // expect-in-function: linux-count-left
  pm_runtime_get_noresume(&pci->dev);
  pm_runtime_get_noresume(&pci->dev);
}
struct pci_driver lent_ok = {.probe = lent_ok_probe, .remove = lent_ok_remove};
struct pci_driver lent_gives_two = {.probe = lent_gives_two_probe, .remove = lent_ok_remove};
struct pci_driver lent_takes_two = {.probe = lent_ok_probe, .remove = lent_takes_two_remove};

// Removing takes the count by another name, and probing has not given it back by any.
static int lent_kept_probe(struct pci_dev *pci, const struct pci_device_id *id) {
  struct gear *g = devm_kzalloc(&pci->dev, sizeof(*g), GFP_KERNEL);
  if (!g) return -ENOMEM;
  g->dev = &pci->dev;
  dev_set_drvdata(&pci->dev, g);
  return 0;
}
static void lent_kept_remove(struct pci_dev *pci) {  // expect-in-function: linux-halves
  struct gear *g = dev_get_drvdata(&pci->dev);
  pm_runtime_get_noresume(g->dev);
}
struct pci_driver lent_kept = {.probe = lent_kept_probe, .remove = lent_kept_remove};
static int lent_other_name_ok_probe(struct pci_dev *pci, const struct pci_device_id *id) {
  struct gear *g = devm_kzalloc(&pci->dev, sizeof(*g), GFP_KERNEL);
  if (!g) return -ENOMEM;
  g->dev = &pci->dev;
  dev_set_drvdata(&pci->dev, g);
  pm_runtime_put_noidle(g->dev);
  return 0;
}
static void lent_other_name_ok_remove(struct pci_dev *pci) {
  struct gear *g = dev_get_drvdata(&pci->dev);
  pm_runtime_get_noresume(g->dev);
}
struct pci_driver lent_other_name = {.probe = lent_other_name_ok_probe, .remove = lent_other_name_ok_remove};


// Where probing has stored nothing, there is nothing to take a count of.
static void lent_maybe_remove(struct pci_dev *pci) {  // expect-in-function: linux-halves
  struct gear *g = dev_get_drvdata(&pci->dev);
  if (!g) return;
  pm_runtime_get_noresume(g->dev);
  dev_set_drvdata(&pci->dev, NULL);
}
struct pci_driver lent_maybe = {.probe = lent_kept_probe, .remove = lent_maybe_remove};
