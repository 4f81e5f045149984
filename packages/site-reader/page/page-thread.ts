/** The code of a worker thread that runs one task after the other. All tasks use the loaded rules. */
import { answerTasks } from '@baize/threads/body'
import { isUrlAllowed, type RobotsTask } from '../robots/allowed-url.ts'
import { isOthers } from '../sections/related-domains.ts'
import { loadRules } from './load-rules.ts'
import { type PageReading, type PageTask, readPage } from './read-page.ts'

export type PageThreadTask = PageTask | { domains: string[] } | { robots: RobotsTask }
export type PageThreadAnswer = PageReading | string[] | boolean

function answerTo(task: PageThreadTask): PageThreadAnswer {
  if ('robots' in task) return isUrlAllowed(task.robots)
  if (!('domains' in task)) return readPage(task)
  const { rules } = loadRules()
  return task.domains.filter(domain => !isOthers(domain, rules))
}

loadRules()
answerTasks(answerTo)
