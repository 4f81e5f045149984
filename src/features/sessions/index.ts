import { switchAccount } from './switch-account.ts'

export { browserName } from './browser-name.ts'
export { nextPath, withNext } from './next-path.ts'
export { endOtherSessions, endSession, readSessions } from './session-list-store.ts'
export {
  deleteEndedSessions,
  findSession,
  insertSession,
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
export { deleteExpiredLinks, findLink, linkMinutes, signInLinkPattern } from './sign-in-link-store.ts'

export const accountSwitch = [switchAccount]
