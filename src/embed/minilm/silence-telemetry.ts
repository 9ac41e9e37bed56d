/**
 * From 1.29 on onnxruntime reports to its maker and keeps a device id in the user's cache, unless this variable is in the
 * process's real environment when it is loaded. A worker's environment is a copy: call this before one is started, or share the environment.
 */
export function silenceTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1'
}
