import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { ThreadMessage } from './thread-pool.ts'

// Lowers the priority of this thread, so that requests of the process come first. On other systems this
// would slow the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

/** Answers the tasks of a ThreadPool, one after the other, with the processor time of each. */
export function answerTasks<Task, Answer>(answerTo: (task: Task) => Answer | Promise<Answer>): void {
  const send = (message: ThreadMessage<Answer>) => parentPort?.postMessage(message)
  parentPort?.on('message', async (task: Task) => {
    const before = process.threadCpuUsage()
    const answer = await answerTo(task)
    const { user, system } = process.threadCpuUsage(before)
    send({ answer, cpuMs: (user + system) / 1_000 })
  })
  send('ready')
}
