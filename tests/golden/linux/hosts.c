// References that a call stores away itself, and those that functions of other modules take over.
#include "mock.h"

struct hc_driver;
struct usb_hcd {
  struct device *controller;
  struct usb_hcd *shared_hcd;
};
struct usb_hcd *usb_create_hcd(const struct hc_driver *driver, struct device *dev, const char *name);
void usb_put_hcd(struct usb_hcd *hcd);
int usb_add_hcd(struct usb_hcd *hcd, unsigned int irq, unsigned long flags);
struct kunit;
void of_node_put_kunit(struct kunit *test, struct device_node *node);
extern const struct hc_driver host_driver;

// The host is the device's driver data, where remove finds it.
static int host_probe(struct platform_device *pdev) {
  struct usb_hcd *hcd = usb_create_hcd(&host_driver, &pdev->dev, "host");
  int ret;
  if (!hcd) return -ENOMEM;
  ret = usb_add_hcd(hcd, 1, 0);
  if (ret) {
    usb_put_hcd(hcd);
    return ret;
  }
  return 0;
}
struct platform_driver host = {.probe = host_probe};

// Nobody asks for the driver data of a device that could not be probed.
static int host_bad_probe(struct platform_device *pdev) {  // expect-in-function: linux-leak
  struct usb_hcd *hcd = usb_create_hcd(&host_driver, &pdev->dev, "host");
  int ret;
  if (!hcd) return -ENOMEM;
  ret = usb_add_hcd(hcd, 1, 0);
  if (ret) return ret;
  return 0;
}
struct platform_driver bad_host = {.probe = host_bad_probe};

// The test puts the node when it ends.
int host_test_puts(struct kunit *test) {
  struct device_node *np = of_find_node_by_name(NULL, "kunit-test");
  of_node_put_kunit(test, np);
  return np != NULL;
}

// A function of another module that cleans up after a failure finds the host where it was stored.
struct adapter {
  struct usb_hcd *hcd;
  int number;
};
void adapter_remove(struct pci_dev *pdev);
void adapter_count(int number);
static int adapter_probe(struct pci_dev *pdev, const struct pci_device_id *id) {
  struct adapter *a = dev_get_drvdata(&pdev->dev);
  struct usb_hcd *hcd = usb_create_hcd(&host_driver, &pdev->dev, "host");
  int ret;
  if (!hcd) return -ENOMEM;
  a->hcd = hcd;
  ret = usb_add_hcd(hcd, 1, 0);
  if (ret) {
    adapter_remove(pdev);
    return ret;
  }
  return 0;
}
struct pci_driver adapter_driver = {.probe = adapter_probe};

static int adapter_bad_probe(struct pci_dev *pdev, const struct pci_device_id *id) {  // expect-in-function: linux-leak
  struct adapter *a = dev_get_drvdata(&pdev->dev);
  struct usb_hcd *hcd = usb_create_hcd(&host_driver, &pdev->dev, "host");
  int ret;
  if (!hcd) return -ENOMEM;
  a->hcd = hcd;
  ret = usb_add_hcd(hcd, 1, 0);
  if (ret) {
    adapter_count(a->number);
    return ret;
  }
  return 0;
}
struct pci_driver bad_adapter_driver = {.probe = adapter_bad_probe};
