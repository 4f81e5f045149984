import { constants, setPriority } from 'node:os'
import type { FromProcess, ToProcess } from './process-messages.ts'
import type { SentFile } from './watched-process.ts'

const batchRowsMax = 100

/** Answers the tasks of a WatchedProcess, one after the other. */
export function serveTasks<Task, Row>(
  read: (task: Task, files: SentFile[]) => AsyncIterable<Row> | Iterable<Row>,
): void {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  // A terminal interrupts a whole group of processes, and the parent then ends its tasks first.
  process.on('SIGINT', () => {}).on('SIGTERM', () => {})
  const send = (message: FromProcess<Row>) => process.send?.(message)
  const pieces = new Map<number, (piece: Uint8Array | null) => void>()
  let readings = 0
  let goOn = () => {}

  async function* piecesOf(file: number): AsyncGenerator<Uint8Array, void> {
    const of = ++readings
    send({ open: file, of })
    try {
      for (;;) {
        const received = new Promise<Uint8Array | null>(resolve => pieces.set(of, resolve))
        send({ next: of })
        const piece = await received
        if (piece === null) return
        yield piece
      }
    } finally {
      pieces.delete(of)
      send({ close: of })
    }
  }

  async function run(task: Task, names: readonly string[]): Promise<void> {
    send('begun')
    // The next batch is read while the last one is consumed.
    let consumed = Promise.resolve()
    const sendRows = async (rows: Row[]) => {
      await consumed
      consumed = new Promise(resolve => {
        goOn = resolve
      })
      send({ rows })
    }
    let rows: Row[] = []
    for await (const row of read(
      task,
      names.map((name, file) => ({ name, open: () => piecesOf(file) })),
    )) {
      rows.push(row)
      if (rows.length < batchRowsMax) continue
      await sendRows(rows)
      rows = []
    }
    if (rows.length > 0) await sendRows(rows)
    await consumed
    send('done')
  }

  process.on('message', (message: ToProcess<Task>) => {
    if (message === 'more') goOn()
    else if ('of' in message) pieces.get(message.of)?.(message.piece)
    else void run(message.task, message.names).catch(error => send({ failed: failedBy(error) }))
  })
  // The parent has ended.
  process.on('disconnect', () => process.exit())
}

function failedBy(error: unknown) {
  if (!(error instanceof Error)) return { kind: typeof error, message: String(error), stack: undefined }
  return { kind: error.constructor.name, message: error.message, stack: error.stack }
}
