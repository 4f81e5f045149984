/** What is read of a lobby. */
export type Lobby = {
  sections: LobbySection[]
  games: LobbyGame[]
  /** Is true if a limit left out games or sections. */
  isCut: boolean
}

export type LobbySection = {
  /** The heading; null if the section has none. */
  name: string | null
  kind: SectionKind
  gamesSeen: number
  /** Is false if a limit, the end of scrolling or a button for more shows that games are missing. */
  isComplete: boolean
}

export const sectionKinds = ['hero', 'featured', 'new', 'popular', 'category', 'live', 'other'] as const
export type SectionKind = (typeof sectionKinds)[number]

export type LobbyGame = {
  /** The index of its section. */
  section: number
  /** Its place in the section, from 1. */
  position: number
  title: string
  /** The supplier as the tile shows it. */
  supplier: string | null
  supplierSlug: string | null
  match: SupplierMatch
  isAboveFold: boolean
  /** Is true if an earlier section has the title, too. */
  isRepeat: boolean
}

/**
 * How the supplier is known. `shown`: the tile names it. `host`: a host, path or attribute of the tile
 * states it. `known_title`: public sources give the title to one studio.
 */
export const supplierMatches = ['shown', 'host', 'known_title', 'none'] as const
export type SupplierMatch = (typeof supplierMatches)[number]

/** Visible DOMs of one visit as HTML, with `data-box="x y width height"` in CSS pixels on each element. */
export type LobbyView = {
  url: string
  /** The DOM before each scroll and after the last, oldest first. */
  steps: readonly string[]
  /** DOMs of frames of other origins. */
  frames: readonly string[]
  viewportHeight: number
  /** Is true if the visit saw the end of the page. */
  hasSeenEnd: boolean
}

export const lobbyLimits = { games: 500, sections: 12 }
