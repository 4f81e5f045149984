import { type FetchedFile, fetchPolitely, type NetworkSettings, type Turns } from '@baize/outbound'
import type { OfficialFile } from '@baize/registers'
import { extraCaAt } from '@baize/registers/official'
import type { SourceFile } from '@baize/tables'
import { type RenderPage, renderFiles } from './render-files.ts'

/** The limit is four times the largest register known. 1,000,000 hosts need 25 MB. */
export const sourceFileBytesMax = 256 * 1024 * 1024

/** The values for conditional requests; null when the source sent no values. */
export type Validators = { etag: string | null; lastModified: string | null }

const fileTimeoutMsDefault = 5 * 60_000
const noValidators: Validators = { etag: null, lastModified: null }

export type FetchFilesOptions = {
  turns: Turns
  urls: readonly string[]
  /** The official files, which may need a fixed request or a certificate. */
  officialFiles?: readonly OfficialFile[]
  network: NetworkSettings
  signal?: AbortSignal
  fileBytesMax?: number
  fileTimeoutMs?: number
  /** Visits a page in Chromium; undefined where pages are not rendered. */
  render?: RenderPage | undefined
}

export type FetchedSnapshot = AsyncDisposable & {
  files: SourceFile[]
  validators: Validators[]
  /** The media type of the first file. */
  mediaType: string | null
}

/**
 * Returns null if no file has changed. If one has changed all are fetched, because a snapshot is read
 * whole.
 */
export async function fetchFiles(
  options: FetchFilesOptions,
  validators: readonly Validators[],
): Promise<FetchedSnapshot | null> {
  const fetched: (FetchedFile | null)[] = []
  const isRendered = options.urls.some(url => renderingOf(url, options) !== null)
  const disposeAll = async () => {
    for (const each of fetched) await each?.file.dispose()
  }
  try {
    if (isRendered) for (const url of options.urls) fetched.push(...(await filesOf(url, options)))
    const isConditional = validators.every(({ etag, lastModified }) => etag !== null || lastModified !== null)
    for (const [index, url] of isRendered ? [] : options.urls.entries())
      fetched.push(
        await fetchOne(url, options, (isConditional ? validators[index] : undefined) ?? noValidators),
      )
    if (fetched.every(each => each === null)) return null
    for (const [index, url] of isRendered ? [] : options.urls.entries())
      fetched[index] ??= await fetchOne(url, options, noValidators)
  } catch (error) {
    await disposeAll()
    throw error
  }
  const whole = fetched as FetchedFile[]
  const names = isRendered ? whole.map((_, index) => `page-${index + 1}.html`) : options.urls.map(nameOf)
  return {
    files: whole.map(({ file }, index) => ({ name: distinctName(names, index), open: file.open })),
    validators: whole.map(({ etag, lastModified }) => ({ etag, lastModified })),
    mediaType: whole[0]?.mediaType ?? null,
    [Symbol.asyncDispose]: disposeAll,
  }
}

const renderingOf = (url: string, { officialFiles = [] }: FetchFilesOptions) => {
  const resolve = officialFiles.find(file => file.url === url)?.resolve
  return resolve?.by === 'rendered' ? resolve : null
}

/** Returns the pages of a list that a script draws, or the one file of an address. */
async function filesOf(url: string, options: FetchFilesOptions): Promise<(FetchedFile | null)[]> {
  const rendering = renderingOf(url, options)
  if (rendering === null) return [await fetchOne(url, options, noValidators)]
  return renderFiles(url, rendering, options)
}

/** Returns null if the file is not modified. */
async function fetchOne(
  url: string,
  { turns, network, signal, fileBytesMax, fileTimeoutMs, officialFiles = [] }: FetchFilesOptions,
  validators: Validators,
): Promise<FetchedFile | null> {
  const outcome = await fetchPolitely(turns, {
    url,
    ...validators,
    post: officialFiles.find(file => file.url === url)?.request,
    extraCa: extraCaAt(url, officialFiles),
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

/** Makes the name of a page distinct, because the pages of a list differ only in parameters. */
function distinctName(names: readonly string[], index: number): string {
  const name = names[index] as string
  return names.indexOf(name) === index ? name : `${name}-${index + 1}`
}
