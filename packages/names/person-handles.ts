import { createHash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { foldedWords } from './fold-text.ts'

/** Normalises the handles that distinguish people (docs/people.md). Invalid ones are null. */

const addressCharactersMax = 254
const localCharactersMax = 64

/**
 * Normalises an address with an ASCII domain: case and outer spaces are ignored, dots and plus signs are
 * not.
 */
export function emailKey(address: string): string | null {
  const text = address.trim().normalize('NFKC').toLowerCase()
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const written = text.slice(at + 1)
  if (at < 1 || local.length > localCharactersMax || !/^[^\s\p{Cc}@<>()[\],;:"\\]+$/u.test(local)) return null
  if (/[\s\p{Cc}/?#:@]/u.test(written)) return null
  const domain = domainToASCII(written).replace(/\.$/, '')
  const isDomain = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*$/.test(domain)
  const key = `${local}@${domain}`
  return isDomain && key.length <= addressCharactersMax ? key : null
}

/** The host on which subdomain, case, query and trailing path segments are ignored. */
const professionalNetwork = 'linkedin.com'

/** Normalises a profile's URL. It ignores scheme, `www.`, credentials, fragment and a trailing slash. */
export function profileKey(address: string): string | null {
  const text = address.trim()
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`)
  if (url === null || !/^https?:$/.test(url.protocol) || !url.hostname.includes('.')) return null
  const host = url.hostname.replace(/^www\./, '').replace(/\.$/, '')
  const path = decoded(url.pathname).normalize('NFKC').replace(/\/+$/, '')
  if (host !== professionalNetwork && !host.endsWith(`.${professionalNetwork}`)) {
    return path === '' && url.search === '' ? null : bounded(`${host}${path}${url.search}`)
  }
  const [kind = '', name = ''] = path
    .toLowerCase()
    .split('/')
    .filter(part => part !== '')
  return name === '' ? null : bounded(`${professionalNetwork}/${kind}/${name}`)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Normalises a name. It ignores case, accents, punctuation and word order: `LEE, Ann` is Ann Lee. */
export function personNameKey(name: string): string | null {
  const words = foldedWords(name).filter(word => /[\p{L}\p{N}]/u.test(word))
  return words.length === 0 ? null : bounded(words.sort().join(' '))
}

/** The longest key in bytes, so that two fit into one index entry. Longer keys end in a hash. */
const keyBytesMax = 400

function bounded(key: string): string {
  if (Buffer.byteLength(key) <= keyBytesMax) return key
  return `${Array.from(key).slice(0, 40).join('')}#${createHash('sha256').update(key).digest('hex')}`
}

/** Returns true if the address contains a word of the name, unlike a role mailbox. */
export function isPersonal(email: string, name: string): boolean {
  const local = foldedWords(email.slice(0, email.lastIndexOf('@'))).join('')
  return foldedWords(name).some(word => word.length >= 3 && local.includes(word))
}
