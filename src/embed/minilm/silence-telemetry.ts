/**
 * onnxruntime 1.29+ sends telemetry and stores a device id unless this variable is in the real environment at load. A worker's environment
 * is a copy: call this before starting one.
 */
export function silenceTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1'
}
