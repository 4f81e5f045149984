/** The body of the process that parses files and pages of registers (read-apart.ts). */

import { serveTasks } from '@baize/threads/process-body'
import type { Reading } from '../stream.ts'
import { type ReaderTask, runReaderTask } from './run-reader-task.ts'

serveTasks<ReaderTask, Reading | string>(runReaderTask)
