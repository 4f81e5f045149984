import { type LookSettings, type LookTools, openVisitTools } from '@baize/site-visitor'
import type { Database } from '../database/open.ts'
import { turnsOf } from '../database/turns-store.ts'

type Looking = { database: Database; now: () => Date; signal: AbortSignal }

/** Returns the tools of a check: this machine's network, and the turns that all processes share. */
export const openLookTools = (settings: LookSettings, { database, ...looking }: Looking): LookTools =>
  openVisitTools(settings, { ...looking, ...turnsOf(database) })
