import { switchAccount } from './switch-account.ts'

export { deleteSession, findSession, insertSession, sessionHours, sessionIdPattern } from './session-store.ts'

export const accountSwitch = [switchAccount]
