#pragma once

#include "vqas/campaign/shell_words.h"
