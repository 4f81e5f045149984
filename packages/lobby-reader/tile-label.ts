import { fold } from './fold.ts'
import { findSupplier } from './suppliers.ts'
import { prepositions, verbs } from './words.ts'

const separators = /\s+[|–—·•-]\s+|[|·•]/u

/** Splits a label such as `Play Starburst by NetEnt`, `Starburst – NetEnt` or `Starburst (NetEnt)`. */
export function splitLabel(label: string): { title: string; supplier: string | null } {
  const text = withoutVerb(label.trim())
  const bracketed = /^(.+?)\s*[([]([^()[\]]{2,40})[)\]]$/u.exec(text)
  if (bracketed !== null && findSupplier(bracketed[2] as string) !== null)
    return { title: bracketed[1] as string, supplier: bracketed[2] as string }
  const parts = text.split(separators)
  const last = parts.at(-1) as string
  if (parts.length > 1 && findSupplier(last) !== null)
    return { title: text.slice(0, text.lastIndexOf(last)).replace(/[\s|–—·•-]+$/u, ''), supplier: last }
  const words = text.split(/\s+/)
  for (let at = words.length - 2; at > 0; at--) {
    const rest = words.slice(at + 1).join(' ')
    if (prepositions.has(fold(words[at] as string)) && findSupplier(rest) !== null)
      return { title: words.slice(0, at).join(' '), supplier: rest }
  }
  return { title: text, supplier: null }
}

function withoutVerb(label: string): string {
  const words = label.split(/\s+/)
  for (const count of [3, 2, 1])
    if (words.length > count && verbs.has(fold(words.slice(0, count).join(' '))))
      return words
        .slice(count)
        .join(' ')
        .replace(/^[:–-]\s*/u, '')
  return label
}
