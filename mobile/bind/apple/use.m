// Uses the engine as an Objective-C app does, so that the compiler finds misspelt names and anything missing from
// gobind's output.
#import "GlimBridge.objc.h"

@interface Outcome : NSObject <GlimBridgeReceiver>
@end

@implementation Outcome
- (BOOL)result:(NSString *)json error:(NSError **)error {
	return json.length > 0;
}
- (BOOL)failure:(int32_t)code message:(NSString *)message error:(NSError **)error {
	return code != GlimBridgeCodeCancelled && code != GlimBridgeCodeBroken && code != GlimBridgeCodeNoKey;
}
@end

@interface Ear : NSObject <GlimBridgeListener>
@end

@implementation Ear
- (BOOL)events:(NSString *)json error:(NSError **)error {
	return YES;
}
- (BOOL)end:(int32_t)code message:(NSString *)message error:(NSError **)error {
	return YES;
}
@end

@interface Host : NSObject <GlimBridgeHTTP, GlimBridgeKeyStore, GlimBridgeLogger, GlimBridgeStorage>
@end

@implementation Host
- (BOOL)send:(GlimBridgeRequest *)r error:(NSError **)error {
	if ([r id_] > 0 && [r url].length + [r contentType].length + [r authorization].length > 0 && [r body].length > 0 && [r limit] > 0) {
		[r answer:200 authenticate:@"" body:[NSData data]];
	} else {
		[r fail:@"no"];
	}
	return YES;
}
- (BOOL)abort:(GlimBridgeRequest *)r error:(NSError **)error {
	return YES;
}
- (BOOL)ask:(GlimBridgeQuestion *)q error:(NSError **)error {
	if ([q id_] > 0 && [q wallet].length + [q operation].length > 0) {
		[q answer:@"secret"];
	} else {
		[q refuse];
	}
	return YES;
}
- (BOOL)forget:(GlimBridgeQuestion *)q error:(NSError **)error {
	return YES;
}
- (BOOL)log:(int32_t)level line:(NSString *)line error:(NSError **)error {
	return YES;
}
- (BOOL)has:(NSString *)name ret0_:(BOOL *)found error:(NSError **)error {
	*found = NO;
	return YES;
}
- (id<GlimBridgeFile>)open:(NSString *)name error:(NSError **)error {
	return nil;
}
- (BOOL)remove:(NSString *)name error:(NSError **)error {
	return YES;
}
@end

GlimBridgeEngine *begin(NSError **error) {
	Host *host = [Host new];
	GlimBridgeOptions *o = GlimBridgeNewOptions();
	o.network = @"stagenet";
	o.folder = @"";
	o.storage = host;
	o.daemon = @"node.example:38081";
	o.username = o.password = o.proxy = o.names = o.tls = o.fingerprints = @"";
	o.trusted = NO;
	o.http = host;
	o.keyStore = host;
	o.logger = host;
	o.memory = 200 << 20;
	o.workers = 0;
	o.accounts = 2;
	o.addresses = 5;
	return GlimBridgeOpen(o, error);
}

void live(GlimBridgeEngine *e, NSError **error) {
	GlimBridgeTask *t = [e start:@"" method:@"get_version" params:@"{}" to:[Outcome new]];
	[t cancel];
	[t join];
	GlimBridgeSubscription *s = [e follow:@"" cursor:@"0" to:[Ear new] error:error];
	[s cancel];
	[s join];
	NSString *text = [e call:@"" method:@"get_version" params:@"" error:error];
	if (text.length > 0) GlimBridgeTrim();
	[e close:error];
}
