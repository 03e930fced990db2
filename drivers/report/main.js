// The views in turn: one that fails says so in its place, and does not cost the others.

const views = { summary: draw_summary, timeline: draw_timeline, profile: draw_profile, workers: draw_workers,
                copies: draw_copies, tiles: draw_tiles, roofline: draw_roofline, residual: draw_residual,
                history: draw_history, bound: draw_bound };
for (const id of is_ensemble ? ["roofline", "residual"] : ["history"]) { // of the other kind of run
    document.getElementById(id).remove();
    delete views[id];
}
for (const [id, draw] of Object.entries(views))
    try {
        draw();
    } catch (error) {
        section(id, element("p", { class: "failed" }, `This view failed: ${error.message}`));
        console.error(error);
    }
section("foot", element("p", {}, `Made by ${data.run.version}. The numbers are in this file as JSON: run is what --json ` +
        "writes, trace what qcd_starpu trace --json writes. Charts by uPlot 1.6.32 (MIT licence, in the source of this page)."));
document.documentElement.dataset.drawn = "yes";
