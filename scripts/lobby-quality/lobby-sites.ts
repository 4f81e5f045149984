import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Device } from '@baize/lobby-reader/see'

type TrueGame = { title: string; supplier: string | null; supplier_slug: string | null }
export type TrueSection = { name: string; kind: string; needed: number; games: TrueGame[] }
export type LobbySite = {
  name: string
  domain: string
  form: string
  device: Device
  resources: { url: string; status: number; content_type: string; file?: string; location?: string }[]
  truth: {
    status: string[]
    reason: string[] | null
    sections: TrueSection[]
    other_order?: Record<string, string>
  }
}

export const lobbySets = ['tuning', 'frozen'] as const
export type LobbySet = (typeof lobbySets)[number]
export const folderOf = (set: LobbySet) => join(import.meta.dirname, '../../test/lobby-sites', set)

export const lobbySites = (set: LobbySet): LobbySite[] =>
  readdirSync(folderOf(set), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => ({
      name,
      ...JSON.parse(readFileSync(join(folderOf(set), name, 'site.json'), 'utf8')),
    }))
