/**
 * Parses files and pages of registers in a process of their own: any of them may be hostile, and would stop
 * the requests of this process or take its memory. Small ones cannot, and are parsed in place.
 */

import { fileOfBytes, Refusal, type SourceFile } from '@baize/tables'
import { TaskEnded, TaskFailed, WatchedProcess } from '@baize/threads/process'
import type { ExplainTask } from '../official/explain-page.ts'
import type { Reading, Stream } from '../stream.ts'
import { findStream } from '../streams.ts'
import { type FindTask, type ReaderTask, runReaderTask, type StreamOrigin } from './run-reader-task.ts'

/** A start takes half a second of processor time, and the worst 8 KiB of text a tenth. */
const smallBytesMax = 8 * 1024
const memoryMbMax = 192
/** A table of 1,000,000 rows needs 15 s, and a PDF may need 60. */
const taskCpuMsMax = 90_000
/** Ends a task that waits. A busy machine may need longer than the processor time. */
const taskMsMax = 10 * 60_000
const time = `${taskCpuMsMax / 1_000} s of processor time, or ${taskMsMax / 60_000} minutes,`

const reader = new WatchedProcess<ReaderTask, Reading | string>(
  new URL('./reader-process.ts', import.meta.url),
  { memoryMbMax, heapMbMax: 112, taskCpuMsMax, taskMsMax, idleMsMax: 5_000 },
)

/** Returns the stream with a `read` that runs in the process. */
export const readApart = (stream: Stream, origin: StreamOrigin): Stream => ({
  ...stream,
  read: files => rowsOf<Reading>({ read: origin }, files),
})

/** Returns the addresses that a page or a document of a register names. Throws a Refusal without any. */
export const findApart = (find: FindTask): Promise<string[]> => Array.fromAsync(rowsOf<string>({ find }))

/** Returns what kind of page came in place of files, or null. */
export async function explainApart(
  explain: ExplainTask,
  files: readonly SourceFile[],
): Promise<string | null> {
  const [page = null] = await Array.fromAsync(rowsOf<string>({ explain }, files))
  return page
}

async function* rowsOf<Row extends Reading | string>(
  task: ReaderTask,
  files: readonly SourceFile[] = [],
): AsyncGenerator<Row, void> {
  const small = await smallFiles(task, files)
  if (small !== null) {
    yield* runReaderTask(task, small) as AsyncGenerator<Row, void>
    return
  }
  try {
    for await (const rows of reader.run(task, files)) yield* rows as Row[]
  } catch (error) {
    if (error instanceof TaskEnded) throw new Refusal(whyEnded(error, files), { cause: error })
    if (error instanceof TaskFailed && refusals.includes(error.kind))
      throw new Refusal(error.message, { cause: error })
    throw error
  }
}

/** The classes of errors that refuse a file. */
const refusals = ['Refusal', 'Unresolved']

function whyEnded({ reason }: TaskEnded, files: readonly SourceFile[]): string {
  const named = files.map(({ name }) => `"${name}"`).join(', ') || 'the page'
  if (reason === 'crash') return `${named} ends the process that reads it`
  const accepted = reason === 'memory' ? `${memoryMbMax} MB of memory` : time
  return `${named} takes more than ${accepted} to read`
}

/** Returns the files in memory if all of them are small enough to be parsed in place, else null. */
async function smallFiles(task: ReaderTask, files: readonly SourceFile[]): Promise<SourceFile[] | null> {
  if (mayBeSlow(task)) return null
  let bytesLeft = smallBytesMax - ('find' in task ? task.find.text.length : 0)
  const small: SourceFile[] = []
  for (const { name, open } of files) {
    const pieces: Uint8Array[] = []
    for await (const piece of open()) {
      bytesLeft -= piece.byteLength
      if (bytesLeft < 0) return null
      pieces.push(piece)
    }
    const whole = Buffer.concat(pieces)
    if (isPacked(whole)) return null
    small.push(fileOfBytes(name, whole))
  }
  return bytesLeft < 0 ? null : small
}

/** Patterns of an operator can be slow on a short text. */
function mayBeSlow(task: ReaderTask): boolean {
  if ('read' in task) return 'description' in task.read
  return 'find' in task && findStream(task.find.stream) === undefined
}

/** A few bytes of a workbook or a PDF unpack to any size. */
const isPacked = (bytes: Uint8Array) =>
  /^\s*(?:PK|%PDF)/.test(Buffer.from(bytes).toString('latin1', 0, 1_024))
