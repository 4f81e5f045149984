import { switchAccount } from './switch-account.ts'

export { browserName } from './browser-name.ts'
export { deleteDraft, deleteExpiredDrafts, readDraft, storeDraft } from './draft-store.ts'
export { nextPath, withNext } from './next-path.ts'
export {
  deleteEndedSessions,
  endOtherSessions,
  endSession,
  findSession,
  insertSession,
  readSessions,
  sessionHours,
  sessionIdPattern,
  takeSession,
} from './session-store.ts'
export {
  createLink,
  handOutLink,
  type LinkMail,
  linkMailTask,
  requestLink,
  signInByLink,
  startSession,
} from './sign-in.ts'
export { deleteExpiredLinks, findSignInLink, linkMinutes, signInLinkPattern } from './sign-in-link-store.ts'

export const accountSwitch = [switchAccount]
