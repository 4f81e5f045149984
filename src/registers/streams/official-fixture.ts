/**
 * What each official site answers, for tests and for the rehearsed night: index pages, JSON documents and
 * files at their official addresses, with at least 30 rows in the exact official layout.
 */
import { blocklistAnswers } from './host-list/blocklist-answers.ts'
import { siteAnswers } from './host-list/site-answers.ts'
import { marketAnswers } from './markets/official-answers.ts'
import type { OfficialAnswer } from './official-answer.ts'
import { registerAnswers } from './register-answers.ts'

/** By stream. A stream without answers is not part of the night. */
export const officialAnswers: Readonly<Record<string, readonly OfficialAnswer[]>> = {
  ...blocklistAnswers,
  ...siteAnswers,
  ...registerAnswers,
  ...marketAnswers,
}
