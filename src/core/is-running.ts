/** Whether a process of this machine runs: the one that left a temporary file or a copy behind may be gone. */
export function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // it runs, as another user
  }
}
