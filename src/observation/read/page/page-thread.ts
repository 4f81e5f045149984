/** The body of a worker thread: one task after the other, each of which needs the rules. */
import { answerTasks } from '../../../core/thread-body.ts'
import { isOthers } from '../sections/related-domains.ts'
import { loadRules } from './load-rules.ts'
import { type PageReading, type PageTask, readPage } from './read-page.ts'

export type Task = PageTask | { domains: string[] }
export type Answer = PageReading | string[]

function answerTo(task: Task): Answer {
  if (!('domains' in task)) return readPage(task)
  const { rules } = loadRules()
  return task.domains.filter(domain => !isOthers(domain, rules))
}

loadRules()
answerTasks(answerTo)
