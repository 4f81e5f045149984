import type { World } from '../../database/open.ts'
import {
  type Candidate,
  type LostLink,
  readCandidatePairs,
  readLostLinks,
} from './linking/candidates-store.ts'

export type Duplicates = {
  /** Pairs of Companies that may be one party, the highest score first. */
  candidates: Candidate[]
  /** Links that stay although their evidence is gone, until staff split them or it returns. */
  lost_links: LostLink[]
}

export async function listDuplicates(
  { database }: World,
  { limit, after = 0 }: { limit: number; after?: number },
): Promise<Duplicates> {
  return {
    candidates: await readCandidatePairs(database, limit, after),
    lost_links: await readLostLinks(database, limit),
  }
}
