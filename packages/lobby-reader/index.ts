/** Reads the lobby of a casino from the visible DOM of one visit. */
export { findLobbyLinks } from './find-lobby-links.ts'
export {
  type Lobby,
  type LobbyGame,
  type LobbySection,
  type LobbyView,
  lobbyLimits,
  type SectionKind,
  type SupplierMatch,
  sectionKinds,
  supplierMatches,
} from './lobby.ts'
export { readLobby } from './read-lobby.ts'
export { hasSignIn } from './read-step.ts'
export { findSupplier } from './suppliers.ts'
