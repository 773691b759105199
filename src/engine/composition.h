// Everything, for those who put it together.
#pragma once

#include "engine/executor.h"
#include "engine/properties/counts/counts.h"
#include "engine/properties/exceptions/exceptions.h"
#include "engine/properties/formats/formats_property.h"
#include "engine/properties/lock/locks.h"
#include "engine/properties/pointers/pointers.h"
#include "engine/properties/properties.h"
#include "engine/properties/protection/collector.h"
#include "engine/properties/references/borrows.h"
#include "engine/properties/references/deferred.h"
#include "engine/properties/references/exits.h"
#include "engine/properties/references/references.h"
#include "engine/properties/types/types.h"
#include "engine/summaries/summing.h"
