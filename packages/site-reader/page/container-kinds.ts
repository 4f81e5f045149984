/** Reads from the names of an element or a folder whether it contains payment methods or studios. */
import { foldedWords } from '@baize/names'
import { readRuleFile } from '../read-rule-file.ts'
import type { BrandKind } from './page-fields.ts'

type Containers = { containers: string[] }

const ofMethods = new Set(readRuleFile<Containers>('payment-words').containers)
const ofStudios = new Set(readRuleFile<Containers>('studio-words').containers)
const namesMax = 300

/** Returns the kind that words of class, id and label name. `payment-provider` is about payments. */
export function kindOfContainer(attributes: ReadonlyMap<string, string>): BrandKind | null {
  if (attributes.size === 0) return null
  const names = ['class', 'id', 'aria-label'].map(name => (attributes.get(name) ?? '').slice(0, namesMax))
  return kindOfNames(names.join(' '))
}

/** Returns the kind that the folders of a picture name: `/assets/payments/visa.svg`. */
export function kindOfFolder(url: string): BrandKind | null {
  const path = (url.split(/[?#]/, 1)[0] as string).replace(/^(?:https?:)?\/\/[^/]*/i, '')
  return kindOfNames(path.slice(0, path.lastIndexOf('/') + 1).slice(-namesMax))
}

function kindOfNames(names: string): BrandKind | null {
  if (!/[a-z]/i.test(names)) return null
  const words = foldedWords(names.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, ' '))
  if (words.some(word => ofMethods.has(word))) return 'methods'
  return words.some(word => ofStudios.has(word)) ? 'studios' : null
}
