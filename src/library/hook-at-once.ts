/**
 * The entry of dist/bundle/ (scripts/bundle-hook.js): what every prompt needs, imported at once, so that it comes to lie in one file. Whatever
 * these import stays in that file too; what they load later stays apart.
 */
import '../config/kept-config.ts'
import '../roles/moment/moment.ts'
import '../roles/reader/look-up.ts'
import '../roles/reader/read.ts'
import '../search/search.ts'
import '../store/sqlite/open.ts'
import '../store/sqlite/rows/reader-rows.ts'
import '../tombstones/settled.ts'

export { answerHook } from './hooking.ts'
