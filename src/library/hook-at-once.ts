/** Entry of dist/bundle/ (scripts/bundle-hook.js). Static imports here go into one file; dynamic imports stay separate. */
import '../config/kept-config.ts'
import '../roles/moment/moment.ts'
import '../roles/reader/look-up.ts'
import '../roles/reader/read.ts'
import '../search/search.ts'
import '../store/sqlite/open.ts'
import '../store/sqlite/rows/reader-rows.ts'
import '../tombstones/settled.ts'

export { answerHook } from './hooking.ts'
