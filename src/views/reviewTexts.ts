// What the review's page says that belongs to no proposal, in the language of the editor. `{0}` stays in where the page puts
// a count in.

import type { PageTexts } from './reviewProtocol';
import type { Words } from './words';

export function pageTexts({ t }: Words): PageTexts {
  return {
    all: t('All'),
    kinds: {
      created: t('Created'),
      updated: t('Updated'),
      merged: t('Merged'),
      deleted: t('Deleted'),
      choose: t('Two Sayings'),
      conflict: t('Conflict'),
    },
    show: t('Show'),
    sideBySide: t('Side by Side'),
    inline: t('Inline'),
    collapseAll: t('Collapse All'),
    expandAll: t('Expand All'),
    collapse: t('Collapse'),
    expand: t('Expand'),
    openDiff: t('Open Diff (D)'),
    openDiffOf: t('Open diff of {0}', '{0}'),
    leftOut: t('left out'),
    moreLines: t('Show {0} more lines', '{0}'),
    removed: t('removed:'),
    added: t('added:'),
    transcriptGone: t('transcript no longer there'),
    openMessage: t('open message'),
    apply: t('Apply'),
    applySelected: t('Apply Selected ({0})', '{0}'),
    applyAll: t('Apply All'),
    applyAllAsks: t('Apply All…'),
    applying: t('Applying…'),
    discard: t('Discard…'),
    undo: t('Undo'),
    close: t('Close'),
    undoHint: t('Undo stays possible in the Dream view, for the last 20 runs.'),
    selected: t('{0} of {1} changes selected', '{0}', '{1}'),
    loading: t('Loading…'),
    results: { applied: t('applied'), partly: t('applied in part'), left: t('left out') },
    actions: {
      showMemories: t('Show Memories'),
      showHistory: t('Show History'),
      runDream: t('Run Dream'),
      review: t('Review'),
      close: t('Close'),
    },
    keys: { move: t('next, previous'), select: t('select'), diff: t('diff'), apply: t('apply') },
  };
}
