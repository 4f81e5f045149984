import { readFileSync } from 'node:fs'
import { slugOf } from '@baize/names'
import { supplierNames } from '@baize/site-reader'
import { fold } from './fold.ts'
import type { SupplierMatch } from './lobby.ts'
import { prepositions } from './words.ts'

export type Supplier = { slug: string; name: string }

const squeezed = (text: string) => fold(text).replaceAll(' ', '')
const bySpelling = new Map<string, Supplier>()
const byHost = new Map<string, Supplier>()
for (const { slug, name, hosts, spellings } of supplierNames()) {
  for (const spelling of spellings) bySpelling.set(squeezed(spelling), { slug, name })
  for (const host of hosts) byHost.set(host.split('/')[0] as string, { slug, name })
}

const byTitle = readKnownTitles()

function readKnownTitles(): ReadonlyMap<string, Supplier> {
  const titles = new Map<string, Supplier>()
  const names = new Map(supplierNames().map(({ slug, name }) => [slug, { slug, name }]))
  let studio: Supplier | undefined
  for (const line of readFileSync(new URL('data/known-titles.txt', import.meta.url), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const title = /^ {2}\d+ (.+)$/.exec(line)?.[1]
    if (title === undefined) studio = names.get(line)
    if (title === undefined && studio === undefined)
      throw new Error(`known-titles.txt: no supplier has the key ${line}`)
    if (title !== undefined && studio !== undefined) titles.set(squeezed(title), studio)
  }
  return titles
}

export const findSupplier = (text: string): Supplier | null => bySpelling.get(squeezed(text)) ?? null
export const findStudio = (title: string): Supplier | null => byTitle.get(squeezed(title)) ?? null

/** Finds a supplier by the host of a URL or one above it, or by a part of its path. */
export function findSupplierOfUrl(url: string): Supplier | null {
  const parsed = URL.parse(url)
  if (parsed === null) return findSupplierInPath(url)
  const labels = parsed.hostname.split('.')
  for (let from = 0; from < labels.length - 1; from++) {
    const found = byHost.get(labels.slice(from).join('.'))
    if (found !== undefined) return found
  }
  return findSupplierInPath(parsed.pathname)
}

function findSupplierInPath(path: string): Supplier | null {
  const folders = path.split(/[/?#]/).slice(0, -1)
  for (const folder of folders) {
    const found = folder.length > 2 ? bySpelling.get(squeezed(folder)) : undefined
    if (found !== undefined) return found
  }
  return null
}

export type FoundSupplier = { supplier: string | null; supplierSlug: string | null; match: SupplierMatch }
export const noSupplier: FoundSupplier = { supplier: null, supplierSlug: null, match: 'none' }

/** Reads a text in the place of suppliers, known or not: `NetEnt`, `by NetEnt`. */
export function readShown(text: string): FoundSupplier {
  const words = text.trim().split(/\s+/)
  const name =
    words.length > 1 && prepositions.has(fold(words[0] as string)) ? words.slice(1).join(' ') : text.trim()
  return { supplier: name, supplierSlug: findSupplier(name)?.slug ?? slugOf(name), match: 'shown' }
}
