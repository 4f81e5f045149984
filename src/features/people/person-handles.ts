import { createHash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { foldedWords } from '../../core/fold-text.ts'

/**
 * The one spelling of what names a person: by it people of a Company are told apart, and suppressed ones known again
 * (docs/people.md). null: that is none.
 */

const addressCharactersMax = 254
const localCharactersMax = 64

/** Case and surrounding blanks do not count, and a domain is in ASCII. Dots and plus signs do: they tell addresses apart. */
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

/** Profiles of this host are one person's whatever the language, the case and what hangs on the address. */
const professionalNetwork = 'linkedin.com'

/** Scheme, `www.`, credentials, fragment and a closing slash do not count. */
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

/** Case, accents, punctuation and the order of its words do not count: `LEE, Ann` is Ann Lee. */
export function personNameKey(name: string): string | null {
  const words = foldedWords(name).filter(word => /[\p{L}\p{N}]/u.test(word))
  return words.length === 0 ? null : bounded(words.sort().join(' '))
}

/** Two keys of this length fit into an entry of an index; longer ones end in a hash. */
const keyBytesMax = 400

function bounded(key: string): string {
  if (Buffer.byteLength(key) <= keyBytesMax) return key
  return `${Array.from(key).slice(0, 40).join('')}#${createHash('sha256').update(key).digest('hex')}`
}

/** Whether an address is that of a person and no mailbox of a role: it holds a word of the name. */
export function isPersonal(email: string, name: string): boolean {
  const local = foldedWords(email.slice(0, email.lastIndexOf('@'))).join('')
  return foldedWords(name).some(word => word.length >= 3 && local.includes(word))
}
