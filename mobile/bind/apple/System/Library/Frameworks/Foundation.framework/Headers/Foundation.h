#pragma once
#include <objc/objc.h>
#include <stddef.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
typedef unsigned long NSUInteger; typedef long NSInteger; typedef NSUInteger NSStringEncoding; typedef double NSTimeInterval;
#define FOUNDATION_EXPORT extern
#define NSUTF8StringEncoding 4
typedef struct { NSUInteger location, length; } NSRange; static inline NSRange NSMakeRange(NSUInteger a, NSUInteger b) { NSRange r = {a,b}; return r; }
@class NSString, NSDictionary, NSError, NSData;
@class Protocol;
@protocol NSObject - (BOOL)isEqual:(id)o;
- (Class)class;
- (BOOL)isKindOfClass:(Class)c;
- (BOOL)conformsToProtocol:(Protocol*)p;
- (NSUInteger)hash;
- (NSString*)description;
@end
__attribute__((objc_root_class)) @interface NSObject <NSObject> { Class isa; }
+ (instancetype)alloc;
+ (instancetype)new;
- (instancetype)init;
- (void)dealloc;
+ (Class)class;
@end
@protocol NSCopying @end
@interface NSString : NSObject <NSCopying>
@property(readonly) NSUInteger length;
+ (instancetype)stringWithFormat:(NSString*)f, ...;
- (instancetype)initWithBytesNoCopy:(void*)b length:(NSUInteger)l encoding:(NSStringEncoding)e freeWhenDone:(BOOL)f;
- (NSUInteger)lengthOfBytesUsingEncoding:(NSStringEncoding)e;
- (BOOL)getBytes:(void*)b maxLength:(NSUInteger)m usedLength:(NSUInteger*)u encoding:(NSStringEncoding)e options:(NSUInteger)o range:(NSRange)r remainingRange:(NSRange*)l;
@end
@interface NSConstantString : NSString @end
@interface NSData : NSObject
@property(readonly) NSUInteger length;
@property(readonly) const void *bytes;
+ (instancetype)data;
+ (instancetype)dataWithBytesNoCopy:(void*)b length:(NSUInteger)l freeWhenDone:(BOOL)f;
+ (instancetype)dataWithBytes:(const void*)b length:(NSUInteger)l;
@end
@interface NSMutableData : NSData @end
@interface NSValue : NSObject <NSCopying>
+ (NSValue*)valueWithPointer:(const void*)p;
@end
@interface NSNumber : NSValue
@property(readonly) int intValue;
+ (NSNumber*)numberWithInt:(int)i;
@end
@interface NSDictionary : NSObject
- (id)objectForKey:(id)k;
- (id)objectForKeyedSubscript:(id)k;
+ (instancetype)dictionaryWithObjects:(const id [])o forKeys:(const id<NSCopying> [])k count:(NSUInteger)n;
+ (instancetype)dictionaryWithObject:(id)o forKey:(id)k;
@end
@interface NSMutableDictionary : NSDictionary
- (void)setObject:(id)o forKey:(id)k;
- (void)setObject:(id)o forKeyedSubscript:(id<NSCopying>)k;
- (void)removeObjectForKey:(id)k;
@end
@interface NSError : NSObject
@property(readonly) NSString *localizedDescription;
@property(readonly) NSDictionary *userInfo;
- (instancetype)initWithDomain:(NSString*)d code:(NSInteger)c userInfo:(NSDictionary*)u;
+ (instancetype)errorWithDomain:(NSString*)d code:(NSInteger)c userInfo:(NSDictionary*)u;
@end
@interface NSException : NSObject
+ (NSException*)exceptionWithName:(NSString*)n reason:(NSString*)r userInfo:(NSDictionary*)u;
@end
extern NSString * const NSInternalInconsistencyException, * const NSLocalizedDescriptionKey; void NSLog(NSString*,...);
