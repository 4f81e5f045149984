import { markets } from '@baize/names'
import type { SourceFile } from '@baize/tables'
import { readDescription } from '../description/read-description.ts'
import { type ExplainTask, explainPage } from '../official/explain-page.ts'
import { findJsonFields } from '../official/find-json-field.ts'
import { findFileLinks } from '../official/find-link.ts'
import { findPages } from '../official/find-pages.ts'
import type { Reading, Resolve, Stream } from '../stream.ts'
import { findStream } from '../streams.ts'

/** A built-in stream, or one of a stored description. */
export type StreamOrigin = { key: string } | { description: string }

export type FindTask = {
  stream: string
  url: string
  text: string
  language: string
  resolve: Extract<Resolve, { by: 'newest_link' | 'json_field' | 'pages' }>
}

export type ReaderTask = { read: StreamOrigin } | { find: FindTask } | { explain: ExplainTask }

export async function* runReaderTask(
  task: ReaderTask,
  files: readonly SourceFile[],
): AsyncGenerator<Reading | string, void> {
  if ('read' in task) yield* streamOf(task.read).read(files)
  else if ('find' in task) yield* findIn(task.find)
  else yield* explain(task.explain, files)
}

function streamOf(origin: StreamOrigin): Stream {
  if ('key' in origin) {
    const stream = findStream(origin.key)
    if (stream === undefined) throw new Error(`there is no stream ${origin.key}`)
    return stream
  }
  const read = readDescription(
    origin.description,
    markets.map(market => market.code),
  )
  if (!read.ok) throw new Error('a stored description is no longer accepted')
  return read.stream
}

function findIn({ url, text, language, resolve }: FindTask): string[] {
  switch (resolve.by) {
    case 'newest_link':
      return findFileLinks({ url, html: text, language }, resolve)
    case 'json_field':
      return findJsonFields({ url, text, language }, resolve)
    case 'pages':
      return findPages({ url, html: text }, resolve)
  }
}

async function* explain(task: ExplainTask, files: readonly SourceFile[]): AsyncGenerator<string, void> {
  const page = await explainPage(task, files)
  if (page !== null) yield page
}
