import type { NetworkSettings } from '../../core/network-settings.ts'
import type { Database } from '../../database/open.ts'
import type { FetchedFile } from '../../outbound/index.ts'
import { sourceFileBytesMax } from '../source/file-on-disk.ts'
import type { SourceFile } from '../stream.ts'
import { fetchPolitely } from './fetch-politely.ts'
import type { Validators } from './watch-store.ts'

const fileTimeoutMsDefault = 5 * 60_000
const noValidators: Validators = { etag: null, lastModified: null }

export type FetchFilesOptions = {
  database: Database
  urls: readonly string[]
  network: NetworkSettings
  signal?: AbortSignal
  fileBytesMax?: number
  fileTimeoutMs?: number
}

export type FetchedSnapshot = AsyncDisposable & {
  files: SourceFile[]
  validators: Validators[]
  /** Of the first file. */
  mediaType: string | null
}

/** Null: none has changed. If one has changed all are fetched, since a snapshot is read whole. */
export async function fetchFiles(
  options: FetchFilesOptions,
  validators: readonly Validators[],
): Promise<FetchedSnapshot | null> {
  const fetched: (FetchedFile | null)[] = []
  const disposeAll = async () => {
    for (const each of fetched) await each?.file.dispose()
  }
  try {
    const isConditional = validators.every(({ etag, lastModified }) => etag !== null || lastModified !== null)
    for (const [index, url] of options.urls.entries())
      fetched.push(
        await fetchOne(url, options, (isConditional ? validators[index] : undefined) ?? noValidators),
      )
    if (fetched.every(each => each === null)) return null
    for (const [index, url] of options.urls.entries())
      fetched[index] ??= await fetchOne(url, options, noValidators)
  } catch (error) {
    await disposeAll()
    throw error
  }
  const whole = fetched as FetchedFile[]
  const names = options.urls.map(nameOf)
  return {
    files: whole.map(({ file }, index) => ({ name: distinctName(names, index), open: file.open })),
    validators: whole.map(({ etag, lastModified }) => ({ etag, lastModified })),
    mediaType: whole[0]?.mediaType ?? null,
    [Symbol.asyncDispose]: disposeAll,
  }
}

/** null: not modified. */
async function fetchOne(
  url: string,
  { database, network, signal, fileBytesMax, fileTimeoutMs }: FetchFilesOptions,
  validators: Validators,
): Promise<FetchedFile | null> {
  const outcome = await fetchPolitely(database, {
    url,
    ...validators,
    bytesMax: fileBytesMax ?? sourceFileBytesMax,
    timeoutMs: fileTimeoutMs ?? fileTimeoutMsDefault,
    network,
    signal,
  })
  return outcome.status === 'fetched' ? outcome : null
}

const nameCharactersMax = 100

function nameOf(url: string, index: number): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  const name = last.replaceAll(/[^\w.-]+/g, '_').slice(0, nameCharactersMax)
  return name === '' ? `file-${index + 1}` : name
}

/** The pages of one list differ in their parameters alone; a reason must name the broken one. */
function distinctName(names: readonly string[], index: number): string {
  const name = names[index] as string
  return names.indexOf(name) === index ? name : `${name}-${index + 1}`
}
