import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { ThreadMessage } from './thread-pool.ts'

// Requests of the process come first, already while this thread loads. Elsewhere than on Linux this would
// slow the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

/** Answers the tasks of a ThreadPool, one after the other. */
export function answerTasks<Task, Answer>(answerTo: (task: Task) => Answer | Promise<Answer>): void {
  const send = (message: ThreadMessage<Answer>) => parentPort?.postMessage(message)
  parentPort?.on('message', async (task: Task) => send({ answer: await answerTo(task) }))
  send('ready')
}
