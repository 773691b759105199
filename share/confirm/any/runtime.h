/* An API that has no exceptions, and of which nobody said how a failing call gives a reference back. */
#define RECKON_RAISE() (void)0
#define RECKON_RELEASE(object) (void)(object)
#endif
