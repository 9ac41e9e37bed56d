"""Runs a command in a pseudo-terminal of a given size: its output goes to stdout, stdin to it, and how it ended as JSON to fd 3."""
import fcntl, json, os, pty, select, signal, struct, sys, termios

columns, rows, argv = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
size = struct.pack("HHHH", rows, columns, 0, 0)
ready, go = os.pipe()
child, master = pty.fork()
if child == 0:
    os.close(go)
    os.close(3)
    os.read(ready, 1)  # the size is set before anything of the command runs
    os.close(ready)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.execvp(argv[0], argv)
fcntl.ioctl(master, termios.TIOCSWINSZ, size)
before = termios.tcgetattr(master)
os.close(ready)
os.write(go, b"x")
os.close(go)

inputs = [master, 0]
while master in inputs:
    for ready_fd in select.select(inputs, [], [])[0]:
        try:
            data = os.read(ready_fd, 65536)
        except OSError:  # Linux says EIO where the last process has closed the terminal
            data = b""
        if not data:
            inputs.remove(ready_fd)
        elif ready_fd == 0:
            os.write(master, data)
        else:
            while data:
                data = data[os.write(1, data) :]
status = os.waitpid(child, 0)[1]
code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
try:
    restored = termios.tcgetattr(master)[:4] == before[:4]
except termios.error:
    restored = None
os.write(3, json.dumps({"code": code, "restored": restored}).encode())
