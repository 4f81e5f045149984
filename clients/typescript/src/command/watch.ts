import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError, Baize, BaizeError, ConnectionError, type Pages } from '../index.ts'
import { type Command, counted, type Flags, note, numberOf, UsageError } from './command.ts'
import { type Event, EventFile } from './event-file.ts'
import { interruptible } from './interrupt.ts'
import { lockFile } from './lock-file.ts'
import { runProgram } from './run-program.ts'

const everySecondsDefault = 60

/** The filters of each feed, which the service checks. */
const feeds = {
  'market-entries': { method: 'listMarketEntries', fixed: { role: 'operator' } },
  'platform-sites': { method: 'listPlatformSites', fixed: { role: 'operator' } },
  'register-changes': { method: 'listRegisterChanges', fixed: {} },
  'portfolio-changes': { method: 'listPortfolioChanges', fixed: {} },
} as const

const filterOptions = {
  name: { type: 'string' },
  market: { type: 'string' },
  platform: { type: 'string' },
  jurisdiction: { type: 'string' },
  'source-stream-key': { type: 'string' },
  'published-legal-name': { type: 'string' },
  'event-type': { type: 'string', multiple: true },
  'occurred-from': { type: 'string' },
  'occurred-to': { type: 'string' },
  'page-size': { type: 'string' },
} satisfies Command['options']

/** The content of the cursor's file. The cursor works only for this feed and these filters. */
type State = {
  base_url: string
  feed: string
  filters: Record<string, unknown>
  cursor?: string
  bytes: number
}

export const watch: Command = {
  summary: 'Follow a feed into a file, or run a command for each event, at 1 credit each',
  usage: `FEED [filters] (--out FILE | --exec COMMAND --cursor FILE)
  FEED                  market-entries --market M, platform-sites --platform P,
                        register-changes --jurisdiction J, portfolio-changes --name N; also
                        --source-stream-key, --event-type (several), --published-legal-name,
                        --occurred-from, --occurred-to, --page-size
  --out FILE            append each event to it as a line of JSON
  --exec COMMAND        run it in the shell for each event, which is its stdin; stops where it fails
  --cursor FILE         where the place in the feed is kept; default: FILE of --out, and .cursor
  --every SECONDS       ask for new events so often; default ${everySecondsDefault}
  --once                stop at the end of the feed
  --max-credits N       stop before more is spent`,
  options: {
    ...filterOptions,
    out: { type: 'string' },
    exec: { type: 'string' },
    cursor: { type: 'string' },
    every: { type: 'string' },
    once: { type: 'boolean' },
    'max-credits': { type: 'string' },
  },
  async run([feed = '', ...rest], flags) {
    if (!Object.hasOwn(feeds, feed) || rest.length > 0)
      throw new UsageError(`Name one feed: ${Object.keys(feeds).join(', ')}.`)
    if ((flags.out === undefined) === (flags.exec === undefined))
      throw new UsageError('Name a file, --out FILE, or a command, --exec COMMAND.')
    const path =
      (flags.cursor as string | undefined) ?? (flags.out === undefined ? null : `${flags.out}.cursor`)
    if (path === null) throw new UsageError('With --exec, name the file of the cursor: --cursor FILE.')
    const unlock = lockFile(`${path}.lock`)
    try {
      return await interruptible(signal => follow(feed as keyof typeof feeds, flags, path, signal))
    } finally {
      unlock()
    }
  },
}

async function follow(
  feed: keyof typeof feeds,
  flags: Flags,
  path: string,
  signal: AbortSignal,
): Promise<number> {
  const baize = new Baize()
  const filters = filtersOf(flags)
  const state: State = restore(path, { base_url: baize.baseUrl, feed, filters, bytes: 0 })
  const everySeconds = Math.max(1, numberOf(flags, 'every') ?? everySecondsDefault)
  const { method, fixed } = feeds[feed]
  const events = baize[method]({ ...fixed, ...filters } as never, {
    signal,
    cursor: state.cursor,
    maxCredits: numberOf(flags, 'max-credits'),
    onPage: noteSources(),
    ...(!flags.once && { pollSeconds: everySeconds }),
  }) as Pages<unknown, Event>
  const file = flags.out === undefined ? null : new EventFile(flags.out as string, state.bytes)
  const save = () => saveState(path, { ...state, cursor: events.cursor, bytes: file?.bytes ?? 0 })
  // The cursor is saved before the first page, so that a restarted process requests that page with the same
  // key.
  save()
  const take = async () => {
    for await (const event of events) {
      if (file === null) await runProgram(flags.exec as string, event)
      else file.write(event)
      save()
      if (signal.aborted) return
    }
  }
  try {
    while (!signal.aborted) {
      try {
        await take()
        break
      } catch (error) {
        if (!signal.aborted) await outlast(error, flags, everySeconds, signal)
      }
    }
    save()
    return 0
  } finally {
    file?.close()
  }
}

type Source = { source_stream_key: string | null; truth_state: string; last_confirmed_at: string | null }

/**
 * Reports each change of a source's state. If there are no events, only `confirmed` means that nothing
 * changed.
 */
function noteSources(): (page: { sources?: Source[] }) => void {
  const known = new Map<string, string>()
  return ({ sources = [] }) => {
    for (const { source_stream_key, truth_state, last_confirmed_at } of sources) {
      const name = source_stream_key ?? 'this market'
      const before = known.get(name) ?? 'confirmed'
      known.set(name, truth_state)
      if (truth_state === before) continue
      const at = new Date().toISOString()
      note(`${at} ${name}: ${truth_state}, last confirmed ${last_confirmed_at ?? 'never'}.`)
    }
  }
}

/** Waits for an unreachable service without a limit. Other errors are thrown. */
async function outlast(
  error: unknown,
  { once }: Flags,
  everySeconds: number,
  signal: AbortSignal,
): Promise<void> {
  const isPassing =
    error instanceof ConnectionError ||
    (error instanceof ApiError && (error.status >= 500 || error.retryAfterSeconds !== null))
  if (once || !isPassing) throw error
  note(`${new Date().toISOString()} ${error.message} Trying again in ${counted(everySeconds, 'second')}.`)
  await pause(everySeconds * 1000, undefined, { signal }).catch(() => {})
}

function filtersOf(flags: Flags): Record<string, unknown> {
  const given = Object.keys(filterOptions).filter(name => flags[name] !== undefined)
  return Object.fromEntries(given.map(name => [name.replaceAll('-', '_'), flags[name]]))
}

function restore(path: string, fresh: State): State {
  if (!existsSync(path)) return fresh
  const stored = JSON.parse(readFileSync(path, 'utf8')) as State
  const about = ({ base_url, feed, filters }: State) => JSON.stringify([base_url, feed, filters])
  if (about(stored) === about(fresh)) return stored
  throw new BaizeError(`${path} is of ${about(stored)}, not ${about(fresh)}. Choose another --cursor.`)
}

/** Replaces the file as a whole, so that a killed process leaves the old content or the new one. */
function saveState(path: string, state: State): void {
  writeFileSync(`${path}.part`, JSON.stringify(state))
  renameSync(`${path}.part`, path)
}
