/**
 * Answers of each official site for tests and for the rehearsed night: index pages, JSON documents and
 * files at their official addresses. Each file has at least 30 rows in the exact official layout.
 */
import type { SourceFile } from '@baize/tables'
import type { Stream } from '../../stream.ts'
import { streams } from '../../streams.ts'
import type { OfficialAnswer } from './answer.ts'
import { codedAnswers } from './coded-answers.ts'
import { filesOf, sampleAnswers } from './sample-answers.ts'

export const officialAnswersOf = (key: string): readonly OfficialAnswer[] =>
  codedAnswers[key] ?? sampleAnswers(key)

/** The answers by stream. A stream whose file a person saves has none, and is not part of the night. */
export const officialAnswers: Readonly<Record<string, readonly OfficialAnswer[]>> = Object.fromEntries(
  streams
    .filter(({ official }) => official.files.length > 0)
    .map(({ key }) => [key, officialAnswersOf(key)] as const),
)

/** Returns the files of one official snapshot of a stream. */
export const officialSample = ({ key }: Stream): SourceFile[] => filesOf(officialAnswersOf(key))
