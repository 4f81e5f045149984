/** The body of a worker thread: one task after the other, each of which needs the rules. */
import { parentPort } from 'node:worker_threads'
import type { ThreadMessage } from '../../../core/thread-pool.ts'
import { isOthers } from '../sections/related-domains.ts'
import { loadRules } from './load-rules.ts'
import { type PageReading, type PageTask, readPage } from './read-page.ts'

export type Task = PageTask | { domains: string[] }
export type Answer = PageReading | string[]

const send = (message: ThreadMessage<Answer>) => parentPort?.postMessage(message)

parentPort?.on('message', (task: Task) => send({ answer: answerTo(task) }))

function answerTo(task: Task): Answer {
  if (!('domains' in task)) return readPage(task)
  const { rules } = loadRules()
  return task.domains.filter(domain => !isOthers(domain, rules))
}

loadRules()
send('ready')
