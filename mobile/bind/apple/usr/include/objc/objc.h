#pragma once
#include <stdint.h>

typedef _Bool BOOL;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil ((void *)0)
#ifndef __OBJC__
typedef struct objc_object *id;
#endif
